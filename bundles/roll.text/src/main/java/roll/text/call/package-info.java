/**
 * Calls of tools in what a model writes, as Hermes and Qwen models write them, and its thoughts.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.text.call;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
