//! Routes of a resource together with who may call them. A route is registered here and nowhere else: router, permissions,
//! the OpenAPI document and `docs/reference/permissions.md` come from it.

use axum::Router;
use axum::handler::Handler;
pub use axum::http::Method;
use axum::routing::{MethodFilter, MethodRouter};
pub use utoipa::openapi::OpenApi;
use utoipa::openapi::path::{Operation, PathItem};
pub use utoipa_axum::router::UtoipaMethodRouterExt;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
pub use utoipa_axum::routes;

use crate::permissions::Access;

/// Where the document says who may call an operation.
pub const ACCESS: &str = "x-access";

/// One route with who may call it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    pub method: Method,
    pub path: String,
    pub access: Access,
}

/// Routes over the services `S`, their part of the document, and who may call them.
///
/// ```ignore
/// pub fn endpoints() -> Endpoints<Services> {
///     Endpoints::new()
///         .endpoint(SUPPORT, routes!(list_cases, write_first))
///         .endpoint(ADMIN, routes!(forget_person))
/// }
/// ```
pub struct Endpoints<S> {
    routes: OpenApiRouter<S>,
    registrations: Vec<Registration>,
}

impl<S: Clone + Send + Sync + 'static> Default for Endpoints<S> {
    fn default() -> Self {
        Self {
            routes: OpenApiRouter::default(),
            registrations: Vec::new(),
        }
    }
}

impl<S: Clone + Send + Sync + 'static> Endpoints<S> {
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers handlers of one path. Method and path are those of their `#[utoipa::path(…)]`.
    ///
    /// # Panics
    /// As axum does: at start, where another handler has the same method and path.
    #[must_use]
    pub fn endpoint(mut self, access: Access, routes: UtoipaMethodRouter<S>) -> Self {
        let (schemas, mut paths, handlers) = routes;
        for (path, item) in &mut paths.paths {
            for (method, operation) in operations(item) {
                let said = serde_json::to_value(access).unwrap_or_default();
                let extensions = operation.extensions.get_or_insert_default();
                extensions.insert(ACCESS.to_owned(), said);
                self.registrations.push(Registration {
                    method,
                    path: path.clone(),
                    access,
                });
            }
        }
        self.routes = self.routes.routes((schemas, paths, handlers));
        self
    }

    /// Registers a handler that is no operation of the document: a page, a picture, a second spelling of a path.
    ///
    /// # Panics
    /// As [`Endpoints::endpoint`].
    #[must_use]
    pub fn undocumented<H, T>(mut self, access: Access, method: Method, path: &str, handler: H) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        let Ok(filter) = MethodFilter::try_from(method.clone()) else {
            panic!("axum has no routes for {method}");
        };
        let handlers = MethodRouter::new().on(filter, handler);
        self.routes = self.routes.route(path, handlers);
        self.registrations.push(Registration {
            method,
            path: path.to_owned(),
            access,
        });
        self
    }

    /// Takes in the endpoints of another resource.
    ///
    /// # Panics
    /// As [`Endpoints::endpoint`].
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.routes = self.routes.merge(other.routes);
        self.registrations.extend(other.registrations);
        self
    }

    /// The routes, their part of the document, and who may call them.
    pub fn into_parts(self) -> (Router<S>, OpenApi, Vec<Registration>) {
        let (router, document) = self.routes.split_for_parts();
        (router, document, self.registrations)
    }
}

/// Declares the services that the handlers of a surface ask for by their type: one line each. `Services::gather` takes them out
/// of everything that the process has.
#[macro_export]
macro_rules! services {
    ($($field:ident: $service:ty),* $(,)?) => {
        /// What the handlers of this surface may ask for.
        #[derive(Clone)]
        pub struct Services(::std::sync::Arc<Parts>);

        struct Parts {
            $($field: $service,)*
        }

        impl Services {
            /// Takes the services out of everything that the process has.
            pub fn gather<A>(app: &A) -> Self
            where
                $($service: ::axum::extract::FromRef<A>,)*
            {
                Self(::std::sync::Arc::new(Parts {
                    $($field: <$service as ::axum::extract::FromRef<A>>::from_ref(app),)*
                }))
            }
        }

        $(impl ::axum::extract::FromRef<Services> for $service {
            fn from_ref(services: &Services) -> Self {
                services.0.$field.clone()
            }
        })*
    };
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    let found = [
        (Method::GET, &mut item.get),
        (Method::PUT, &mut item.put),
        (Method::POST, &mut item.post),
        (Method::DELETE, &mut item.delete),
        (Method::OPTIONS, &mut item.options),
        (Method::HEAD, &mut item.head),
        (Method::PATCH, &mut item.patch),
        (Method::TRACE, &mut item.trace),
    ];
    found
        .into_iter()
        .filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

#[cfg(test)]
mod tests;
