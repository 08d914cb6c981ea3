/** Native memory that versions are copied into. */
@NullMarked
package roll.cluster.transfer.memory;

import org.jspecify.annotations.NullMarked;
