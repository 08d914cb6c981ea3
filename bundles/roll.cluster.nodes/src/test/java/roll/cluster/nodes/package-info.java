@NullMarked
package roll.cluster.nodes;

import org.jspecify.annotations.NullMarked;
