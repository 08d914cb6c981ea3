/** Agents that call tools: how what a model writes is read. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.agent;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
