/** Transfer of weights between nodes. */
@NullMarked
package roll.cluster.inference.weights;

import org.jspecify.annotations.NullMarked;
