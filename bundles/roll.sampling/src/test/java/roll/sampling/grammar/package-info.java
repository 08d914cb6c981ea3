@NullMarked
package roll.sampling.grammar;

import org.jspecify.annotations.NullMarked;
