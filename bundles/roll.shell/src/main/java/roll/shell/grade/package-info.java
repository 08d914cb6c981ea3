/** The command {@code grade}: rewards and graders on rows of a file. */
@NullMarked
package roll.shell.grade;

import org.jspecify.annotations.NullMarked;
