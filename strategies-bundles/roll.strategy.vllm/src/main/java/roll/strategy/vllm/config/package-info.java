/** The configuration of an engine: its options and settings, and the memory they need. */
@NullMarked
package roll.strategy.vllm.config;

import org.jspecify.annotations.NullMarked;
