/** FrozenLake: walk over ice with holes to the goal. */
@NullMarked
package roll.env.frozen_lake;

import org.jspecify.annotations.NullMarked;
