/** Forms of requests and answers over HTTP, and the models behind them. */
@Export
@NullMarked
@Version("1.0.0")
package roll.openai.dialect;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
