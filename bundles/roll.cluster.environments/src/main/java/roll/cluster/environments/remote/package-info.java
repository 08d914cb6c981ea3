/** Environments of other nodes as services. */
@NullMarked
package roll.cluster.environments.remote;

import org.jspecify.annotations.NullMarked;
