/** Chat formats: ChatML and the chat template of the model folder. */
@NullMarked
package roll.rollout.chat;

import org.jspecify.annotations.NullMarked;
