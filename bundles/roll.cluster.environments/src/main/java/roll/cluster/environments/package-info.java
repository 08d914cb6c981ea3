/** Environments that other nodes play. */
@NullMarked
package roll.cluster.environments;

import org.jspecify.annotations.NullMarked;
