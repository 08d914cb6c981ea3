/** Data sets: rows of files that questions, demonstrations and answers come from. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.dataset;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
