/**
 * The training pipeline, one room a concern; nothing is exported. Here is only what all rooms
 * share: the roles of a run.
 */
@NullMarked
package roll.core;

import org.jspecify.annotations.NullMarked;
