/** Pictures among the tokens of a prompt. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.vision;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
