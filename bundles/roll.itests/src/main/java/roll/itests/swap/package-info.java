/** What tests make bundles of: never a service of this bundle itself. */
@NullMarked
package roll.itests.swap;

import org.jspecify.annotations.NullMarked;
