/** Commands on models and checkpoints: text, tokens, log-probs, templates, folders. */
@NullMarked
package roll.shell.model;

import org.jspecify.annotations.NullMarked;
