/** Tests of the Mistral architecture. */
@NullMarked
package roll.model.mistral;

import org.jspecify.annotations.NullMarked;
