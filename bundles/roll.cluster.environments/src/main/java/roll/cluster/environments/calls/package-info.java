/** What nodes ask each other about environments. */
@NullMarked
package roll.cluster.environments.calls;

import org.jspecify.annotations.NullMarked;
