/** Bundles of the first node on the others. */
@NullMarked
package roll.cluster.bundles;

import org.jspecify.annotations.NullMarked;
