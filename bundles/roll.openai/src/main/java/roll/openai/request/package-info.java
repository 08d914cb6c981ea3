/** Requests of any dialect: read, checked, made prompts. */
@Export
@NullMarked
@Version("1.0.0")
package roll.openai.request;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
