"""What the doctor examines, two files each: `_look` sees what there is, `_findings` judges it and is pure."""
