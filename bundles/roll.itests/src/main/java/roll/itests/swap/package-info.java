/** Plugins that tests package as bundles; none is a service of this bundle. */
@NullMarked
package roll.itests.swap;

import org.jspecify.annotations.NullMarked;
