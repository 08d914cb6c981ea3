/** Ranks of a model in processes. */
@NullMarked
package roll.parallel;

import org.jspecify.annotations.NullMarked;
