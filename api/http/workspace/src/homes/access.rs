//! Who may keep homes.

use http_kit::permissions::Access;
use listings::access::EDITORS;

/// Who may see homes as staff keep them, and edit them.
pub(super) const EDITING: Access = Access::Staff(EDITORS);
