"""TRL's side of Race.java: trains by GRPOTrainer and prints the seconds of each step by phase, as JSON.

trl_race.py model=DIR questions=FILE steps=N group=N rows=N micro=N turns=N response=N total=N observation=TEXT dtype=f32|bf16
"""

import json
import sys
import time

import torch
import transformers
import trl
import trl.trainer.grpo_trainer as grpo
from datasets import Dataset
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast, Qwen2Config, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

options = dict(argument.split("=", 1) for argument in sys.argv[1:])
number = {name: int(value) for name, value in options.items() if value.isdigit()}
model = options["model"]


class Clock:
    """Wall and processor seconds by phase; every moment belongs to one phase."""

    def __init__(self):
        self.phase = "other"
        self.spent = {}
        self.begun = self.now()

    @staticmethod
    def now():
        return time.perf_counter(), time.process_time()

    def switch(self, phase):
        now = self.now()
        spent = self.spent.setdefault(self.phase, [0.0, 0.0])
        for i in range(2):
            spent[i] += now[i] - self.begun[i]
        self.begun = now
        before, self.phase = self.phase, phase
        return before

    def within(self, phase, work, *arguments, **named):
        before = self.switch(phase)
        try:
            return work(*arguments, **named)
        finally:
            self.switch(before)


clock = Clock()


class Trainer(GRPOTrainer):
    def training_step(self, *arguments, **named):
        clock.switch("training")  # until the end of the step: the optimizer follows
        return super().training_step(*arguments, **named)

    def _prepare_inputs(self, *arguments, **named):
        return clock.within("other", super()._prepare_inputs, *arguments, **named)

    def _generate(self, *arguments, **named):
        generated = clock.within("rollout", super()._generate, *arguments, **named)
        self.tokens = sum(map(len, generated[0])) + sum(map(len, generated[1]))
        return generated

    def _get_per_token_logps_and_entropies(self, *arguments, **named):
        phase = clock.phase if torch.is_grad_enabled() else "log-probs"
        return clock.within(phase, super()._get_per_token_logps_and_entropies, *arguments, **named)


class Print(TrainerCallback):
    trainer = None

    def on_step_end(self, args, state, control, **kwargs):
        clock.switch("other")
        print("step " + json.dumps({"phases": clock.spent, "tokens": self.trainer.tokens}), flush=True)
        clock.spent = {}


class Game:
    """Every turn shows the same text."""

    def reset(self, **row):
        return None

    def move(self, action: str) -> str:
        """Moves.

        Args:
            action: the direction
        """
        return options["observation"]


def reward(completion_ids, **columns):
    return [float(ids[0] % 2) for ids in completion_ids]


def called(tokenizer, ids, prefix=None):
    """A random model writes no tool calls, so each of its responses counts as one."""
    function = {"name": "move", "arguments": {"action": "up"}}
    return {"role": "assistant", "content": tokenizer.decode(ids), "tool_calls": [{"type": "function", "function": function}]}


def write_weights():
    torch.manual_seed(0)
    AutoModelForCausalLM.from_config(Qwen2Config.from_pretrained(model)).save_pretrained(model)


def main():
    versions = f"torch {torch.__version__}, transformers {transformers.__version__}, trl {trl.__version__}"
    print(f"versions {versions}, {torch.get_num_threads()} threads", flush=True)
    if "steps" not in options:
        return write_weights()
    tokenizer = PreTrainedTokenizerFast.from_pretrained(model, padding_side="left")
    game = {}
    if number["turns"] > 1:
        tokenizer.response_template = {}
        grpo.parse_response = called
        game = {"environment_factory": Game}
    arguments = GRPOConfig(
        output_dir=model + "/trl",
        use_cpu=True,
        bf16=options["dtype"] == "bf16",
        max_steps=number["steps"],
        num_generations=number["group"],
        per_device_train_batch_size=number["micro"],
        gradient_accumulation_steps=number["rows"] // number["micro"],
        max_completion_length=number["total"],
        max_tool_calling_iterations=number["turns"] - 1,
        generation_kwargs={"min_new_tokens": number["response"], "max_new_tokens": number["response"]},
        learning_rate=1e-6,
        lr_scheduler_type="constant",
        weight_decay=0.0,
        max_grad_norm=1.0,
        gradient_checkpointing=False,
        beta=0.0,
        loss_type="dapo",
        save_strategy="no",
        report_to="none",
        logging_steps=1,
        disable_tqdm=True,
        seed=42,
    )
    with open(options["questions"]) as lines:
        rows = [{"prompt": json.loads(line)["messages"]} for line in lines]
    trainer = Trainer(
        model=model,
        reward_funcs=reward,
        args=arguments,
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
        **game,
    )
    printer = Print()
    printer.trainer = trainer
    trainer.add_callback(printer)
    clock.switch("other")
    clock.spent = {}
    trainer.train()


main()
