/** Tests of the Gemma architecture. */
@NullMarked
package roll.model.gemma;

import org.jspecify.annotations.NullMarked;
