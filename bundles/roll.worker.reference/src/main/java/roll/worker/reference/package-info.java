/** The role that scores with the frozen policy. */
@NullMarked
package roll.worker.reference;

import org.jspecify.annotations.NullMarked;
