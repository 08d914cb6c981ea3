/** A reward for the right action on a screen. */
@NullMarked
package roll.reward.gui;

import org.jspecify.annotations.NullMarked;
