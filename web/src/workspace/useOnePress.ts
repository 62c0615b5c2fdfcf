import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

/**
 * A request that a button or a form sends. A second press while it is under way sends nothing: that it is under way is drawn a
 * moment after the first press, and the second half of a double click comes sooner.
 */
export function useOnePress<Data, Asked = void>(
  options: UseMutationOptions<Data, Error, Asked>,
): Pick<UseMutationResult<Data, Error, Asked>, "isPending" | "error" | "variables"> & { send: (asked: Asked) => void } {
  const underWay = useRef(false);
  const { mutate, isPending, error, variables } = useMutation(options);
  const send = (asked: Asked) => {
    if (underWay.current) return;
    underWay.current = true;
    mutate(asked, {
      onSettled: () => {
        underWay.current = false;
      },
    });
  };
  return { send, isPending, error, variables };
}
