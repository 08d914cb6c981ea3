/** Environments that a node plays for others. */
@NullMarked
package roll.cluster.environments.server;

import org.jspecify.annotations.NullMarked;
