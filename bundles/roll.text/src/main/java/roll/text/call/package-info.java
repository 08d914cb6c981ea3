/** Parsing of tool calls and thoughts in the output of Hermes and Qwen models. */
@Export
@NullMarked
@Version("1.0.0")
package roll.text.call;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
