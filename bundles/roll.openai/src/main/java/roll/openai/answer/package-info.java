/** Answers of any dialect, whole or as a stream. */
@Export
@NullMarked
@Version("1.0.0")
package roll.openai.answer;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
