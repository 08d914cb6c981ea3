@NullMarked
package roll.cluster.environments.calls;

import org.jspecify.annotations.NullMarked;
