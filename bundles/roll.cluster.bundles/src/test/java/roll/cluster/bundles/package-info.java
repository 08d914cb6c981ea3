@NullMarked
package roll.cluster.bundles;

import org.jspecify.annotations.NullMarked;
