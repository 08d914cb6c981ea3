from transformers import PreTrainedTokenizerFast


class FileTokenizer(PreTrainedTokenizerFast):
    """tokenizer.json as it stands, where the class of Qwen2 would build a tokenizer of its own."""
