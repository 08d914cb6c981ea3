/** The role of frozen models that rewards ask. */
@NullMarked
package roll.worker.reward_model;

import org.jspecify.annotations.NullMarked;
