/** Bundles of the first node on other nodes. */
@NullMarked
package roll.cluster.bundles;

import org.jspecify.annotations.NullMarked;
