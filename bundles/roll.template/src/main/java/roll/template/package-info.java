/** The chat templates of model folders, rendered as transformers renders them. */
@NullMarked
package roll.template;

import org.jspecify.annotations.NullMarked;
