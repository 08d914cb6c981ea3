/** Connections of the transfer, their time limits, and the messages on them. */
@NullMarked
package roll.cluster.transfer.wire;

import org.jspecify.annotations.NullMarked;
