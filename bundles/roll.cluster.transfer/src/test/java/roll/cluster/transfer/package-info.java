@NullMarked
package roll.cluster.transfer;

import org.jspecify.annotations.NullMarked;
