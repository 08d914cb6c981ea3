/** Text: byte sizes, suggestions, sanitized lines, bounded search, incremental detokenization. */
@Export
@NullMarked
@Version("1.0.0")
package roll.text;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
