/** How weights come to other nodes. */
@NullMarked
package roll.cluster.inference.weights;

import org.jspecify.annotations.NullMarked;
