/** The environment {@code dataset}: an episode is a question of a data set. */
@NullMarked
package roll.env.dataset;

import org.jspecify.annotations.NullMarked;
