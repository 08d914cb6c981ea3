/** Tests of the compute layer. */
@NullMarked
package roll.parallel;

import org.jspecify.annotations.NullMarked;
