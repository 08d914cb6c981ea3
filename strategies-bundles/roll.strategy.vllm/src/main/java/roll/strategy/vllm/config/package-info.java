/** The configuration of an engine: its options, its settings, and the size of the KV cache. */
@NullMarked
package roll.strategy.vllm.config;

import org.jspecify.annotations.NullMarked;
