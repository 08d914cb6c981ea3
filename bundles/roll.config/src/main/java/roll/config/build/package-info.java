/**
 * Typed configuration records built from a checked tree, and the numbers that follow from others.
 */
@NullMarked
package roll.config.build;

import org.jspecify.annotations.NullMarked;
