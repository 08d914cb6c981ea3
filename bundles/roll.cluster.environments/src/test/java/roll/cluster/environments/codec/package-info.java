@NullMarked
package roll.cluster.environments.codec;

import org.jspecify.annotations.NullMarked;
