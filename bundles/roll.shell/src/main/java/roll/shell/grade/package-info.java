/** The command {@code grade}: grades rows of a file by rewards and graders. */
@NullMarked
package roll.shell.grade;

import org.jspecify.annotations.NullMarked;
