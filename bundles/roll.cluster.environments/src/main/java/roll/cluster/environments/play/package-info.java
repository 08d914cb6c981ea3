/** Episodes that are played where there is room, and again elsewhere where a node is lost. */
@NullMarked
package roll.cluster.environments.play;

import org.jspecify.annotations.NullMarked;
