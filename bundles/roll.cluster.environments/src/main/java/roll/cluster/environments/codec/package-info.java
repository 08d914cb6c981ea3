/** What nodes say to each other about environments. */
@NullMarked
package roll.cluster.environments.codec;

import org.jspecify.annotations.NullMarked;
