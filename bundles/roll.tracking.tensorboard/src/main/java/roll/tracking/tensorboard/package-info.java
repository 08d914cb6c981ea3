/** Tracker tensorboard: metrics as TensorBoard event files. */
@NullMarked
package roll.tracking.tensorboard;

import org.jspecify.annotations.NullMarked;
