/** Environments on other nodes. */
@NullMarked
package roll.cluster.environments;

import org.jspecify.annotations.NullMarked;
